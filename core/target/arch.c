#include "target/arch.h"

#include "base/compiler.h"

#include <elf.h>

static const struct prof_arch *const archs[] = {
	&prof_arch_x86_64,
	&prof_arch_aarch64,
};

const struct prof_arch *prof_arch_find(unsigned machine)
{
	for (size_t i = 0; i < PROF_COUNT(archs); i++) {
		if (archs[i]->machine == machine)
			return archs[i];
	}
	return NULL;
}

const struct prof_arch *prof_arch_native(void)
{
#if defined(__x86_64__) && defined(__LP64__)
	return prof_arch_find(EM_X86_64);
#elif defined(__AARCH64EL__) && defined(__LP64__)
	return prof_arch_find(EM_AARCH64);
#else
	return NULL;
#endif
}
