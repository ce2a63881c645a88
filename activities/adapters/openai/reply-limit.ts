/** The maximal length of a reply, from the prose in which servers refuse a limit. Pure. */

export interface CompletionLimit {
  tokens: number;
  /** It holds for every reply of the model, whatever its input. */
  always: boolean;
}

const ALWAYS = [
  /supports at most (\d+) completion tokens/i,
  /max(?:_completion)?_tokens\W{0,4}(?:must|should|has to) be (?:less than or equal to|at most|<=?) \W?(\d+)/i,
  /range of \W?max(?:_completion)?_tokens\W? (?:is|should be) \[\d+, ?(\d+)\]/i,
];
const CONTEXT = /maximum (?:context length|model length)\D{0,20}?(\d+)/i;
const READ = [/(\d+) (?:tokens )?(?:in the messages|of text input|input tokens|tokens? from the input|prompt tokens)/i];

/** Undefined if a refusal does not mention it. */
export function completionLimit(says: string): CompletionLimit | undefined {
  const plain = says.replace(/(\d)[,_](?=\d{3}\b)/g, '$1');
  const most = firstNumber(ALWAYS, plain);
  if (most !== undefined) return { tokens: most, always: true };
  const context = firstNumber([CONTEXT], plain);
  const read = firstNumber(READ, plain);
  return context === undefined || read === undefined ? undefined : { tokens: context - read, always: false };
}

function firstNumber(forms: readonly RegExp[], text: string): number | undefined {
  for (const form of forms) {
    const found = form.exec(text)?.[1];
    if (found !== undefined) return Number(found);
  }
  return undefined;
}
