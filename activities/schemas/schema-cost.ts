import type { TextQuestion } from '../ports';
import { textKey } from './pattern-key';

/**
 * The limits of one text, and of all texts of a check: characters times the expression's cost for each. Some ten milliseconds at the worst.
 */
const INLINE_CHARACTERS = 64 * 1024;
const INLINE_WORK = 2_000_000;
/** The limit of followed references, in addition to a number for each part of the value. */
const REFERENCES = 50_000;
const REFERENCES_A_PART = 50;

/** How an expression is matched here, and its cost for each character. */
export interface TextTest {
  question: Omit<TextQuestion, 'text'>;
  cost: number;
  test(text: string): boolean;
}

/**
 * The cost of one check of a value against a schema. Matching that would block the event loop is left open, for a thread to answer; the
 * check is repeated with the answers.
 *
 * Invariants: 1. with the same answers the same questions are left open; 2. one check matches at most `INLINE_WORK` here; 3. a check that
 * follows references without end stops with `SchemaTooCostly`.
 */
export class SchemaCost {
  private inline = 0;
  private references = 0;
  private readonly answers = new Map<string, Map<string, boolean>>();
  private open = new Map<string, TextQuestion>();

  /** @param parts how many parts the value has; asked when it matters */
  constructor(private readonly parts: () => number) {}

  /** Does the check, and returns the open questions too. */
  check<T>(work: () => T): { found: T; open: TextQuestion[] } {
    this.inline = 0;
    this.references = 0;
    this.open = new Map();
    const outer = current;
    current = this;
    try {
      return { found: work(), open: [...this.open.values()] };
    } finally {
      current = outer;
    }
  }

  settle(questions: readonly TextQuestion[], answers: readonly boolean[]): void {
    for (const [i, { text, ...question }] of questions.entries()) {
      const name = nameOf(question);
      const known = this.answers.get(name) ?? new Map<string, boolean>();
      this.answers.set(name, known.set(textKey(text), answers[i] ?? false));
    }
  }

  fits({ question, cost, test }: TextTest, text: string): boolean {
    const work = cost * text.length;
    if (text.length <= INLINE_CHARACTERS && this.inline + work <= INLINE_WORK) {
      this.inline += work;
      return test(text);
    }
    const name = nameOf(question);
    const key = textKey(text);
    const known = this.answers.get(name)?.get(key);
    if (known !== undefined) return known;
    this.open.set(`${name} ${key}`, { ...question, text });
    // If it does not fit after all, the next check reports that.
    return true;
  }

  follow(): void {
    this.references += 1;
    if (this.references % REFERENCES !== 0) return;
    if (this.references > REFERENCES + REFERENCES_A_PART * this.parts()) throw new SchemaTooCostly();
  }
}

export class SchemaTooCostly extends Error {
  override readonly name = 'TooMuchWork';
}

/** Checks are synchronous, so there is one at a time. Without any, everything is answered here. */
let current: SchemaCost | undefined;

export function fitsSchema(test: TextTest, text: string): boolean {
  return current ? current.fits(test, text) : test.test(text);
}

export function followReference(): void {
  current?.follow();
}

function nameOf(question: Omit<TextQuestion, 'text'>): string {
  return `${question.kind} ${question.expression}`;
}
