/*
 * Bytes that do nothing but stand between objects, so that these come to lie elsewhere. PADDING is
 * their number; data moves by a quarter of it. Without a name, so that one object can be linked in
 * several places.
 */
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define SPACE(section, bytes)                                                                      \
    ".pushsection " section "\n.balign 16\n.space " bytes "\n.popsection\n"

__asm__(SPACE(".text", TEXT(PADDING)) SPACE(".rodata", TEXT(PADDING) "/4")
            SPACE(".data", TEXT(PADDING) "/4") SPACE(".bss", TEXT(PADDING) "/4"));

typedef int no_empty_file;
