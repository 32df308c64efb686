// What first and second of something are, only its declaration tells. A buffer has a `first` that
// says what it is, always reached by a pointer.
@@
expression e;
@@
(
* e.first
|
* e.second
|
* e->second
)
