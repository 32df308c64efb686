/* The rows about files. */
#ifndef COSTS_FILES_H
#define COSTS_FILES_H

/* Says where their files are made; a string that stays valid. "." unless it was called. */
void files_set_folder(const char *folder);

#endif
