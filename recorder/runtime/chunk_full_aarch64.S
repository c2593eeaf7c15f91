// pathspool_chunk_full under LLVM's preserve_most convention (CSR_AArch64_RT_MostRegs): beyond what every function keeps,
// x9 to x15 are kept. The C function does the rest.
#if defined(__aarch64__)
	.text
	.globl	pathspool_chunk_full
	.type	pathspool_chunk_full, %function
	// Lazy binding would destroy x9 to x15 at the first call: this has the symbol bound at load time.
	.variant_pcs pathspool_chunk_full
	.p2align 4
pathspool_chunk_full:
	.cfi_startproc
	stp	x29, x30, [sp, #-80]!
	.cfi_def_cfa_offset 80
	.cfi_offset x29, -80
	.cfi_offset x30, -72
	mov	x29, sp
	stp	x9, x10, [sp, #16]
	stp	x11, x12, [sp, #32]
	stp	x13, x14, [sp, #48]
	str	x15, [sp, #64]
	.cfi_offset x9, -64
	.cfi_offset x10, -56
	.cfi_offset x11, -48
	.cfi_offset x12, -40
	.cfi_offset x13, -32
	.cfi_offset x14, -24
	.cfi_offset x15, -16
	bl	pathspool_chunk_full_c
	ldr	x15, [sp, #64]
	ldp	x13, x14, [sp, #48]
	ldp	x11, x12, [sp, #32]
	ldp	x9, x10, [sp, #16]
	ldp	x29, x30, [sp], #80
	.cfi_restore x29
	.cfi_restore x30
	.cfi_restore x9
	.cfi_restore x10
	.cfi_restore x11
	.cfi_restore x12
	.cfi_restore x13
	.cfi_restore x14
	.cfi_restore x15
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	pathspool_chunk_full, . - pathspool_chunk_full
#endif
	.section .note.GNU-stack, "", %progbits
