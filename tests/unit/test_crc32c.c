/* The checksum, against published values and against its definition, bit by bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>

#include <cmocka.h>

#include "crc32c.h"
#include "random.h"

static void test_check_value(void **state) {
    (void)state;
    assert_int_equal(crc32c(0, "123456789", 9), 0xe3069283);
}

static void test_nothing_changes_nothing(void **state) {
    (void)state;
    assert_int_equal(crc32c(0, NULL, 0), 0);
    assert_int_equal(crc32c(0x12345678, NULL, 0), 0x12345678);
}

/* RFC 3720, appendix B.4. */
static void test_examples_of_the_rfc(void **state) {
    (void)state;
    unsigned char bytes[32];
    memset(bytes, 0, sizeof bytes);
    assert_int_equal(crc32c(0, bytes, sizeof bytes), 0x8a9136aa);
    memset(bytes, 0xff, sizeof bytes);
    assert_int_equal(crc32c(0, bytes, sizeof bytes), 0x62a8ab43);
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)i;
    }
    assert_int_equal(crc32c(0, bytes, sizeof bytes), 0x46dd794e);
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)(31 - i);
    }
    assert_int_equal(crc32c(0, bytes, sizeof bytes), 0x113fdb5c);
}

static uint32_t crc32c_bit_by_bit(const unsigned char *bytes, size_t length) {
    uint32_t remainder = UINT32_MAX;
    for (size_t i = 0; i < length; i++) {
        remainder ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            remainder = (remainder >> 1) ^ ((remainder & 1) != 0 ? 0x82f63b78 : 0);
        }
    }
    return ~remainder;
}

static void test_every_byte_value(void **state) {
    (void)state;
    for (unsigned value = 0; value <= UINT8_MAX; value++) {
        unsigned char byte = (unsigned char)value;
        assert_int_equal(crc32c(0, &byte, 1), crc32c_bit_by_bit(&byte, 1));
    }
}

static void test_every_length_and_alignment(void **state) {
    (void)state;
    struct random random;
    random_init(&random, random_seed("crc32c, lengths"));
    unsigned char bytes[100];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)random_next(&random);
    }
    for (size_t start = 0; start < 17; start++) {
        for (size_t length = 0; start + length <= sizeof bytes; length++) {
            assert_int_equal(crc32c(0, bytes + start, length),
                             crc32c_bit_by_bit(bytes + start, length));
        }
    }
}

static void test_pieces_give_the_sum_of_the_whole(void **state) {
    (void)state;
    const char text[] = "any text that is cut at every place";
    uint32_t whole = crc32c(0, text, sizeof text);
    for (size_t cut = 0; cut <= sizeof text; cut++) {
        uint32_t first = crc32c(0, text, cut);
        assert_int_equal(crc32c(first, text + cut, sizeof text - cut), whole);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check_value),
        cmocka_unit_test(test_nothing_changes_nothing),
        cmocka_unit_test(test_examples_of_the_rfc),
        cmocka_unit_test(test_every_byte_value),
        cmocka_unit_test(test_every_length_and_alignment),
        cmocka_unit_test(test_pieces_give_the_sum_of_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
