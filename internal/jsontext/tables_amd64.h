// TABLE is 16 bytes, twice: the instructions look at 32 bytes at a time, and a
// table is looked up in each half of them.
#define TABLE(name, first, second) \
	DATA  name<>+0(SB)/8, first;   \
	DATA  name<>+8(SB)/8, second;  \
	DATA  name<>+16(SB)/8, first;  \
	DATA  name<>+24(SB)/8, second; \
	GLOBL name<>(SB), RODATA|NOPTR, $32
