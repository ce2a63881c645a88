import { beginning, shortened } from '../text/shortened';
import {
  ACTION_ROWS,
  type ActionRow,
  BANNED_PHRASES,
  BLOCKED_PHRASES,
  COMPLETION_PHRASES,
  CONDITIONS,
  INTENTS,
  NEGATIONS,
} from './detector-words';

/**
 * What the output of a role says next to its hand-off, by words (`detector-words.ts`). Pure. They find what an honest agent announces:
 * they are no fence, and what a tool may do is decided before its call. Code, quoted lines and quotations count for nothing.
 */

/** A phase 2. Returns the sentence; undefined if there is none. */
export function findBlocked(text: string): string | undefined {
  const lines = ownLines(text);
  const heading = lines.find((line) => BLOCKED_HEADING.test(line));
  if (heading !== undefined) return shown(heading);
  const found = sentencesOf(lines).find((sentence) => {
    const at = sentence.search(BLOCKED);
    return at !== -1 && !CONDITION.test(sentence.slice(0, at));
  });
  return found === undefined ? undefined : shown(found);
}

export interface Announced {
  category: ActionRow['category'];
  /** The sentence that says so. */
  sentence: string;
}

/** The destructive actions that a role announces; whether they are authorised is for the caller to say. One for each category. */
export function findDestruction(text: string): Announced[] {
  const found = new Map<Announced['category'], string>();
  for (const sentence of sentencesOf(ownLines(text))) {
    const intent = INTENT.exec(sentence);
    if (!intent) continue;
    const rest = sentence.slice(intent.index + intent[0].length);
    for (const [category, action] of ACTIONS) {
      const at = rest.search(action);
      if (at !== -1 && !found.has(category) && !NEGATION.test(rest.slice(0, at))) found.set(category, shown(sentence));
    }
  }
  return [...found].map(([category, sentence]) => ({ category, sentence }));
}

/** The actions that a text for a role speaks of, as an instruction does: nobody announces them. One for each category. */
export function findActions(text: string): Announced[] {
  const found = new Map<Announced['category'], string>();
  for (const sentence of sentencesOf(ownLines(text))) {
    for (const [category, action] of ACTIONS) {
      const at = sentence.search(action);
      if (at !== -1 && !found.has(category) && !NEGATION.test(sentence.slice(0, at))) found.set(category, shown(sentence));
    }
  }
  return [...found].map(([category, sentence]) => ({ category, sentence }));
}

/** A phase 4: the role says that the whole brief is done. */
export function saysComplete(text: string): boolean {
  const lines = ownLines(text);
  return lines.some((line) => COMPLETE_HEADING.test(line)) || sentencesOf(lines).some((sentence) => COMPLETE.test(sentence));
}

/** How often each phrase occurs. */
export function findBannedPhrases(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of ownLines(text))
    for (const [said] of line.matchAll(BANNED)) {
      const phrase = said.toLowerCase();
      counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
    }
  return counts;
}

/** Before which everything else may stand in a heading: `## Phase 2: blocked`, `**Blocker:** no key`. */
const BLOCKED_HEADING = /^[#*\s]{0,20}(?:phase 2\b|blocker\s?[:*]|blocked\s?[:*])/i;
const COMPLETE_HEADING = /^(?:[#*\s]{0,20}phase 4\b|#{1,4} completion\b)/i;
const BLOCKED = anyOf(BLOCKED_PHRASES);
const CONDITION = anyOf(CONDITIONS);
const INTENT = anyOf(INTENTS);
const NEGATION = anyOf(NEGATIONS);
const COMPLETE = anyOf(COMPLETION_PHRASES);
const BANNED = anyOf(BANNED_PHRASES, 'gi');
const ACTIONS = ACTION_ROWS.map((row) => [row.category, actionOf(row)] as const);

function anyOf(phrases: readonly string[], flags = 'i'): RegExp {
  return new RegExp(`(?<![\\w-])(?:${alternatives(phrases)})(?![\\w-])`, flags);
}

/** Between verb and object there are at most five words. */
function actionOf({ verbs, objects, except }: ActionRow): RegExp {
  if (!objects) return anyOf(verbs);
  const word = `${except ? `(?!(?:${except.join('|')})\\s)` : ''}[^\\s,;:]+`;
  return new RegExp(`(?<![\\w-])(?:${alternatives(verbs)})(?:\\s${word}){0,5}?\\s[#@\`"'(]?(?:${alternatives(objects)})(?![\\w-])`, 'i');
}

function alternatives(phrases: readonly string[]): string {
  return phrases.map((phrase) => phrase.replaceAll("'", "['’]").replaceAll(' ', '\\s')).join('|');
}

/** Lines of the role's own prose, with single spaces: none of code, and none that are quoted. */
function ownLines(text: string): string[] {
  let fence: string | undefined;
  return text.split('\n').flatMap((line) => {
    const marks = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (marks !== undefined) {
      if (fence === undefined) fence = marks;
      else if (marks.startsWith(fence)) fence = undefined;
      return [];
    }
    if (fence !== undefined || /^\s*>/.test(line)) return [];
    return [line.replace(/`[^`]*`|"[^"]*"|“[^“”]*”/g, ' … ').replace(/\s+/g, ' ')];
  });
}

/** A sentence ends with its line. A very long one is cut: no one announces anything there. */
function sentencesOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(/(?<=[.!?])\s/)).map((sentence) => beginning(sentence, MOST_SENTENCE));
}

const MOST_SENTENCE = 2000;
const MOST_SHOWN = 200;

function shown(sentence: string): string {
  return shortened(sentence.trim(), MOST_SHOWN);
}
