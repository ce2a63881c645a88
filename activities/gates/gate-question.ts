/** Questions are in the memo of the run, which lists read; a longer one is cut there and whole in the document. */
export const QUESTION_LIMIT = 1000;

export function cutQuestion(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}
