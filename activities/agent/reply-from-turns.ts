import { isReply, type Turn } from '../../records/transcripts/turn';
import type { Reply } from './reply';

/** The answer in a request's turns: the reply at the end, with the parts in which it came. */
export function replyFromTurns(turns: readonly Turn[]): Reply | undefined {
  const at = turns.findLastIndex(isReply);
  const last = turns[at];
  if (!last) return undefined;
  const said = turns.slice(0, at).filter(({ stop }) => stop !== 'broken');
  const parts = said.slice(said.findLastIndex(({ stop }) => stop !== 'goes-on') + 1);
  const text = [...parts, last].map((part) => part.text).join('');
  return { text, ...(last.stop === 'cut' || last.stop === 'empty' ? { [last.stop]: true } : {}) };
}
