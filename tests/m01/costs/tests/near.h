/* cmocka's comparison of numbers is of floats, to which doubles do not convert by themselves. */
#ifndef COSTS_TESTS_NEAR_H
#define COSTS_TESTS_NEAR_H

#include <math.h>

#define assert_near(a, b, tolerance) assert_true(fabs((double)(a) - (b)) <= (tolerance))

#endif
