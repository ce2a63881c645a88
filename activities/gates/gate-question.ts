/** The limit of questions, which are in the run's memo, which lists read; a longer one is cut there and complete in the document. */
export const QUESTION_LIMIT = 1000;
