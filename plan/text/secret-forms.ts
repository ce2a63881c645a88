import { beginningAt, lastCode, type PercentForm, percentForm, type Span } from './percent-encoding';
import { ENCODED_FROM, MASKED_FROM, secretEncodings, secretTexts } from './secret-encodings';

/** Secrets in all the written forms that a text may contain. */
export interface SecretForms {
  /** The length of the longest form; 0 if there are no secrets. */
  readonly longest: number;
  /** Every occurrence, ordered by its beginning. They may overlap. */
  spansIn(text: string): Span[];
  /** Where the earliest form begins that the end of the text cuts off; the text's length if there is none. */
  openFrom(text: string): number;
}

export function secretForms(secrets: readonly string[]): SecretForms {
  const written = [...new Set(secrets.flatMap(secretEncodings))];
  const encoded = [...new Set(secrets.flatMap(secretTexts))].map(percentForm);
  const longest = [...written.map(({ length }) => length), ...encoded.map((form) => form.longest)].reduce((a, b) => Math.max(a, b), 0);
  const writtenBy = grouped(written, (form) => [form.charAt(0)]);
  const encodedBy = grouped(encoded, ({ beginnings }) => beginnings);
  const isCodedAt = (text: string, from: number): boolean => {
    const beginning = beginningAt(text, from);
    const forms =
      beginning === undefined ? encoded : [...new Set([beginning, text.charAt(from)])].flatMap((one) => encodedBy.get(one) ?? []);
    return forms.some((form) => form.isOpenAt(text, from));
  };
  return {
    longest,
    spansIn(text) {
      const spans = encoded.flatMap((form) => form.spansIn(text).filter((span) => isLongEnough(form, span)));
      for (const form of written) {
        for (let from = text.indexOf(form); from >= 0; from = text.indexOf(form, from + 1)) spans.push({ from, to: from + form.length });
      }
      return spans.sort((a, b) => a.from - b.from);
    },
    openFrom(text) {
      // Anything without a code begins like one of the written forms.
      const codedTo = lastCode(text);
      for (let from = Math.max(0, text.length - longest + 1); from < text.length; from += 1) {
        if (writtenBy.get(text.charAt(from))?.some((form) => isCut(form, text, from))) return from;
        if (from <= codedTo && isCodedAt(text, from)) return from;
      }
      return text.length;
    },
  };
}

function isLongEnough({ length }: PercentForm, { from, to }: Span): boolean {
  return length >= MASKED_FROM || to - from >= ENCODED_FROM;
}

function isCut(form: string, text: string, from: number): boolean {
  const left = text.length - from;
  return form.length > left && text.endsWith(form.slice(0, left));
}

function grouped<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) for (const key of new Set(keysOf(item))) groups.set(key, [...(groups.get(key) ?? []), item]);
  return groups;
}
