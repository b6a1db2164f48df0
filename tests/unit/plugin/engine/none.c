/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/engine/engine.h"

#include "suite.h"

START_TEST(takes_no_samples_anywhere_and_only_if_asked)
{
	const struct engine_request request = {.rate = 100};

	ck_assert(engine_none.asked_only);
	ck_assert_ok(engine_none.available("native"));
	ck_assert_ok(engine_none.available(""));
	ck_assert_ok(engine_none.start(&request));
	ck_assert_ok(engine_none.attach(1));
	engine_none.release(1);
	engine_none.hold(1);
	engine_none.objects_changed();
	engine_none.report();
	engine_none.detach(1);
	engine_none.stop();
	/* What other engines have to say, or know, it lacks. */
	ck_assert_ptr_null((void *)engine_none.say);
	ck_assert(!engine_none.reports_signals);
	ck_assert(!engine_none.verifies);
}
END_TEST

RUN_TESTS("none", takes_no_samples_anywhere_and_only_if_asked)
