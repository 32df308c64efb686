// Two truth values in a row as arguments: what they mean, only the declaration tells.
@@
expression f;
symbol true, false;
@@
* f(..., \(true\|false\), \(true\|false\), ...)
