import { MASK } from './masker';
import type { Span } from './percent-encoding';
import { secretForms } from './secret-forms';

/** Masks a text that arrives in pieces. The result does not depend on the boundaries of the pieces. */
export interface StreamMask {
  /** Returns what is safe to show already. The rest may be the beginning of a secret. */
  push(text: string): string;
  /** The rest. A longer beginning of a secret is masked too: its end may have been lost. */
  end(): string;
}

/** A shorter beginning of a secret is too likely to be a word. */
const BEGINNING_FROM = 8;

/**
 * Invariants: 1. no secret, in any of its written forms, is in the result, across pieces and lines; 2. the part that is held back is
 * shorter than the longest form.
 */
export function streamMask(secrets: readonly string[]): StreamMask {
  const forms = secretForms(secrets);
  if (forms.longest === 0) return { push: (text) => text, end: () => '' };
  let held = '';
  /** How much of the beginning of `held` belongs to secrets whose mask was already returned. */
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
      return release(forms.openFrom(held), forms.spansIn(held));
    },
    end() {
      const isBeginning = held.length - covered >= BEGINNING_FROM;
      return release(held.length, isBeginning ? [{ from: covered, to: held.length }] : forms.spansIn(held));
    },
  };
}
