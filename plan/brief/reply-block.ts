import { linesOf, withoutMark } from '../text/lines';

/** The part of a reply that is meant as its hand-off. `cut`: the last block of JSON has no end. */
export type ReplyBlock = { kind: 'block' | 'whole'; text: string } | { kind: 'cut' };

interface Fence {
  /** Three or more backticks or tildes. */
  marks: string;
  isJson: boolean;
  lines: string[];
}

/**
 * The last fenced block with the tag `json`, in any case; the whole reply if it has none. Text around the block is allowed, and fences
 * within its strings end nothing, because they do not stand alone on a line. What a longer fence quotes is no block of the reply: an
 * agent that shows a file does not hand it off.
 */
export function replyBlock(reply: string): ReplyBlock {
  let open: Fence | undefined;
  let last: ReplyBlock | undefined;
  for (const line of linesOf(reply)) {
    const { marks = '', tag = '' } = FENCE.exec(line)?.groups ?? {};
    if (open && isEnd(open, marks, tag)) {
      if (open.isJson) last = { kind: 'block', text: open.lines.join('\n') };
      open = undefined;
    } else if (marks !== '' && (!open || isNext(open, marks, tag))) {
      open = { marks, isJson: tag.toLowerCase() === 'json', lines: [] };
    } else open?.lines.push(line);
  }
  if (open?.isJson) return { kind: 'cut' };
  return last ?? { kind: 'whole', text: withoutMark(reply).trim() };
}

/** A tag with backticks belongs to code within a line. */
const FENCE = /^\s*(?<marks>`{3,}|~{3,})[ \t]*(?<tag>[^`\s]*)(?:\s[^`]*)?$/;

function isEnd(open: Fence, marks: string, tag: string): boolean {
  return tag === '' && marks[0] === open.marks[0] && marks.length >= open.marks.length;
}

/** An agent that forgot to end a block begins the next one: a fence with a tag ends none. */
function isNext(open: Fence, marks: string, tag: string): boolean {
  return tag !== '' && marks[0] === open.marks[0] && marks.length >= open.marks.length;
}
