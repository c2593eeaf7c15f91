// pathspool_chunk_full under LLVM's preserve_most convention (CSR_64_RT_MostRegs): every general register but r11 is
// kept, and rax, which has the result. The C function does the rest.
#if defined(__x86_64__)
	.text
	.globl	pathspool_chunk_full
	.type	pathspool_chunk_full, @function
	.p2align 4
pathspool_chunk_full:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	pushq	%rcx
	.cfi_offset %rcx, -24
	pushq	%rdx
	.cfi_offset %rdx, -32
	pushq	%rsi
	.cfi_offset %rsi, -40
	pushq	%rdi
	.cfi_offset %rdi, -48
	pushq	%r8
	.cfi_offset %r8, -56
	pushq	%r9
	.cfi_offset %r9, -64
	pushq	%r10
	.cfi_offset %r10, -72
	// Whatever alignment the caller left, the C function gets the one that it may expect.
	andq	$-16, %rsp
	cld
	call	pathspool_chunk_full_c
	leaq	-56(%rbp), %rsp
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rdi
	popq	%rsi
	popq	%rdx
	popq	%rcx
	popq	%rbp
	.cfi_restore %r10
	.cfi_restore %r9
	.cfi_restore %r8
	.cfi_restore %rdi
	.cfi_restore %rsi
	.cfi_restore %rdx
	.cfi_restore %rcx
	.cfi_restore %rbp
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size	pathspool_chunk_full, . - pathspool_chunk_full
#endif
	.section .note.GNU-stack, "", @progbits
