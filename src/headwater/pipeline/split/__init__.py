"""Scripts to pieces: the statements that are analysed by themselves, with what each of them needs to know."""
