import { MASK, maskedForms } from './masker';

/** Masks a text that arrives in pieces. The result does not depend on where the pieces are cut. */
export interface StreamMask {
  /** What is safe to show by now. The rest may be the beginning of a secret. */
  push(text: string): string;
  /** The rest. A longer beginning of a secret is masked too: its end may have been lost. */
  end(): string;
}

/** In `held`, from `from` up to and without `to`. */
interface Span {
  from: number;
  to: number;
}

/** A shorter beginning of a secret is too likely to be a word. */
const BEGINNING_FROM = 8;

/**
 * Invariants: 1. no secret, in any of its written forms, is in what comes out, across pieces and lines; 2. what is held back is
 * shorter than the longest form.
 */
export function streamMask(secrets: readonly string[]): StreamMask {
  const forms = maskedForms(secrets);
  if (forms.length === 0) return { push: (text) => text, end: () => '' };
  let held = '';
  /** So much of the beginning of `held` belongs to secrets whose mask is out already. */
  let covered = 0;

  function release(upTo: number, spans: readonly Span[]): string {
    let out = '';
    let shownTo = covered;
    for (const { from, to } of spans) {
      if (from >= upTo) break;
      if (from >= shownTo) out += held.slice(shownTo, from) + MASK;
      shownTo = Math.max(shownTo, to);
    }
    if (shownTo < upTo) out += held.slice(shownTo, upTo);
    covered = Math.max(0, shownTo - upTo);
    held = held.slice(upTo);
    return out;
  }

  return {
    push(text) {
      held += text;
      return release(firstBeginning(held, forms), spansOf(held, forms));
    },
    end() {
      const isBeginning = held.length - covered >= BEGINNING_FROM;
      return release(held.length, isBeginning ? [{ from: covered, to: held.length }] : spansOf(held, forms));
    },
  };
}

/** Every occurrence of a form, by where it begins. */
function spansOf(text: string, forms: readonly string[]): Span[] {
  const spans: Span[] = [];
  for (const form of forms) {
    for (let from = text.indexOf(form); from >= 0; from = text.indexOf(form, from + 1)) spans.push({ from, to: from + form.length });
  }
  return spans.sort((a, b) => a.from - b.from);
}

/** Where the earliest form begins that continues behind the end of the text; the text's length where none does. */
function firstBeginning(text: string, forms: readonly string[]): number {
  const most = forms[0]?.length ?? 0;
  for (let from = Math.max(0, text.length - most + 1); from < text.length; from += 1) {
    const left = text.length - from;
    for (const form of forms) {
      if (form.length > left && form.charCodeAt(0) === text.charCodeAt(from) && text.endsWith(form.slice(0, left))) return from;
    }
  }
  return text.length;
}
