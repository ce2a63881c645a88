/** The word by which the shells' scripts ask for names. It is no command that people type. */
export const COMPLETE_WORD = '__complete';
