#include "hash.h"

#define FNV_OFFSET_BASIS UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x00000100000001b3)

uint64_t hash_bytes(struct slice key) {
    uint64_t hash = FNV_OFFSET_BASIS;
    for (size_t i = 0; i < key.length; i++) {
        hash ^= key.data[i];
        hash *= FNV_PRIME;
    }
    return hash;
}
