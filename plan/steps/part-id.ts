/** The id of a part of a step. It is unique in the file: no other step has it. */
export function partId(step: string, part: string): string {
  return `${step}_${part}`;
}
