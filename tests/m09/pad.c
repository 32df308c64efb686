/*
 * A function of the program that is never called, BYTES long: stands for code that is not on the
 * way of a GET, and grows. It is compiled and linked as the rest of the program is.
 */
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

void never_called(void);

void never_called(void) {
    __asm__ volatile(".fill " TEXT(BYTES) ", 1, 0");
}
