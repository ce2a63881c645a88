/** The limit of questions, which are in the run's memo, which lists read; a longer one is cut there and complete in the document. */
export const QUESTION_LIMIT = 1000;

export function cutQuestion(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}
