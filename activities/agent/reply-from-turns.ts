import { isReply, type Turn } from '../../records/transcripts/turn';
import type { Reply } from './reply';

/** What a request's turns answer it with: the reply that is at the end, with the parts that it was said in. */
export function replyFromTurns(turns: readonly Turn[]): Reply | undefined {
  const at = turns.findLastIndex(isReply);
  const last = turns[at];
  if (!last) return undefined;
  const said = turns.slice(0, at).filter(({ stop }) => stop !== 'broken');
  const parts = said.slice(said.findLastIndex(({ stop }) => stop !== 'goes-on') + 1);
  const text = [...parts, last].map((part) => part.text).join('');
  return { text, ...(last.stop === 'cut' || last.stop === 'empty' ? { [last.stop]: true } : {}) };
}
