#include "plugin/word.h"

#include "metric/collapse.h"
#include "metric/metric.h"
#include "plugin/engine.h"
#include "view/export.h"

const char *word_of_engine(size_t index)
{
	if (!index)
		return "auto";
	return engines[index - 1] ? engines[index - 1]->name : NULL;
}

const char *word_of_clock(size_t index)
{
	static const char *const clocks[] = {"cpu", "wall", NULL};

	return clocks[index];
}

const char *word_of_switch(size_t index)
{
	static const char *const words[] = {"on", "off", NULL};

	return words[index];
}

const char *word_of_degree(size_t index)
{
	return index < PROF_DEGREES ? prof_degree_names[index] : NULL;
}

const char *word_of_metric(size_t index)
{
	return prof_metrics[index].name;
}

const char *word_of_export(size_t index)
{
	return prof_exports[index].name;
}
