import { type Ability, type Asked, type Fault, type Play, type PlayedReply, USAGE } from '../play';

/** The abilities of every adapter that asks a service for one reply at a time. */
export const REPLY_BY_REPLY: readonly Ability[] = [
  'runner-tools',
  'calls-at-once',
  'turn-by-turn',
  'limits',
  'stops',
  'names-model',
  'usage-by-reply',
  'streams',
  'overload',
  'context',
];

/** The part that all stand-ins share: it chooses the next reply or fault, notes what it saw, and waits where a rule says so. */
export interface StandIn {
  play(play: Play): void;
  asked: Asked[];
  paid(): number;
  /** The answer to a caller with so many replies in its context already, or to one that asks aside. */
  next(said: number | 'aside', asked: Asked): Answer;
  /** Called if a reply was given, or broke off after its usage was reported. */
  count(): void;
  /** Waits until `go` or the signal. */
  hold(signal?: AbortSignal): Promise<void>;
  /** The callers that wait. */
  holding(): number;
  /** Resolves the next time that a caller begins to wait. */
  still(): Promise<void>;
  go(): void;
}

export interface Answer {
  reply: PlayedReply & { usage: NonNullable<PlayedReply['usage']>; text: string };
  fault?: Fault;
}

export function standIn(): StandIn {
  let current: Play = { replies: [] };
  const used = new Set<number>();
  const asked: Asked[] = [];
  let [paid, holding] = [0, 0];
  const listeners: (() => void)[] = [];
  let go: () => void = () => undefined;

  return {
    asked,
    play(play) {
      current = play;
      used.clear();
    },
    paid: () => paid,
    count: () => {
      paid += 1;
    },
    next(said, request) {
      asked.push(request);
      const reply = said === 'aside' ? current.aside : current.replies[said];
      if (!reply) throw new Error(`no reply is played for ${said === 'aside' ? said : `number ${said + 1}`}`);
      const index = current.faults?.findIndex(({ at }, i) => said !== 'aside' && at === said + 1 && !used.has(i)) ?? -1;
      const fault = current.faults?.[index]?.fault;
      if (fault) used.add(index);
      return { reply: { text: '', ...reply, usage: reply.usage ?? USAGE }, ...(fault ? { fault } : {}) };
    },
    async hold(signal) {
      holding += 1;
      try {
        await new Promise<void>((resolve, reject) => {
          const stop = () => reject(signal?.reason);
          if (signal?.aborted) stop();
          signal?.addEventListener('abort', stop, { once: true });
          go = resolve;
          for (const hear of listeners.splice(0)) hear();
        });
      } finally {
        holding -= 1;
      }
    },
    holding: () => holding,
    still: () => new Promise((hear) => void listeners.push(hear)),
    go: () => go(),
  };
}
