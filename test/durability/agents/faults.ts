import { FAILURES, ThermidorFailure } from '../../../plan/run/failure';
import type { StepInput, StepOutput } from '../../../plan/steps/step-activity';
import { noting } from '../../contract/noting';
import type { AdapterUnderTest, Play, PlayedFault, PlayedReply } from '../../contract/play';
import { BAD, GOOD, Killed, openStage, type Stage } from '../../contract/stage';
import { type Dice, dice } from '../../support/simulation/dice';

/** A step under random faults, and what it cost. The same seed has the same faults in the same places. */
export interface Disturbed {
  said: string;
  /** The faults that happened, in order. */
  faults: readonly string[];
  paid: number;
  /** Distinct calls: a tool gets the same key if a crash repeats the call. */
  toolCalls: number;
}

/** The maximum number of faults; after them the step is not disturbed. */
const MOST_FAULTS = 6;
const IN_THE_SERVICE = ['silent', 'stalled', 'error', 'overloaded', 'lost', 'broken'] as const;

export function randomPlay(seed: number): Play {
  const roll = dice('play', seed);
  const replies: PlayedReply[] = Array.from({ length: roll.whole(0, 6) }, (_, n) => ({
    text: `I look ${n}.`,
    calls: Array.from({ length: roll.whole(1, 3) }, (_call, i) => ({ tool: 'note', args: { n: n * 10 + i } })),
  }));
  return { replies: [...replies, ...(roll.chance(0.4) ? [{ text: BAD }] : []), { text: GOOD }] };
}

export async function undisturbed(under: AdapterUnderTest, play: Play): Promise<Disturbed> {
  return await played(under, play, async (stage) => await stage.perform(), []);
}

/** Continues as an interpreter and a server would: the same activity again, or a new try if the service failed. */
export async function disturbed(under: AdapterUnderTest, play: Play, seed: number): Promise<Disturbed> {
  const roll = dice('faults', seed);
  const faults: string[] = [];
  const inService = serviceFaults(roll, play);
  const go = async (stage: Stage): Promise<StepOutput> => {
    for (let attempt = 1, tries = 1; ; attempt++) {
      const input: Partial<StepInput> = tries > 1 ? { note: { reason: 'api_error', message: 'again' } } : {};
      const ended = await life(stage, { roll, faults, input, id: `work#1~${tries}`, attempt });
      if (ended instanceof ThermidorFailure) {
        faults.push(ended.code);
        if (FAILURES[ended.code].retried === 'once') tries += 1;
        else if (FAILURES[ended.code].retried !== 'temporal') throw ended;
      } else if (ended) return ended;
    }
  };
  return await played(under, { ...play, faults: inService }, go, faults);
}

async function played(
  under: AdapterUnderTest,
  play: Play,
  go: (stage: Stage) => Promise<StepOutput>,
  faults: readonly string[],
): Promise<Disturbed> {
  const note = noting();
  const stage = await openStage(under.make, play, { tools: { note } });
  try {
    const output = await go(stage);
    return { said: await stage.said(output), faults, paid: stage.harness.paid(), toolCalls: new Set(note.keys).size };
  } finally {
    await stage.close();
  }
}

function serviceFaults(roll: Dice, { replies }: Play): PlayedFault[] {
  return Array.from({ length: roll.whole(0, 3) }, () => ({
    at: roll.whole(1, replies.length),
    fault: { kind: roll.pick(IN_THE_SERVICE) },
  }));
}

interface Life {
  roll: Dice;
  faults: string[];
  input: Partial<StepInput>;
  id: string;
  attempt: number;
}

/** One call of the activity: its output, its failure, or nothing if its worker died or its completion was lost. */
async function life(stage: Stage, { roll, faults, input, id, attempt }: Life): Promise<StepOutput | ThermidorFailure | undefined> {
  const inPeace = faults.length >= MOST_FAULTS;
  const dies = !inPeace && roll.chance(0.5);
  const record = roll.whole(1, 14);
  // Dies before the record: the reply has arrived, and is lost.
  const dying = dies ? (roll.chance(0.5) ? { dyingAfter: record } : { dyingBefore: record }) : {};
  const gone = new AbortController();
  const call = { attempt, signal: gone.signal, isCancelled: () => false };
  let stood = false;
  const working = stage.perform({ input, id, call, ...dying });
  // An activity that waits for something that never comes is killed at that point.
  void Promise.race([stage.harness.still().then(() => (stood = true)), working.catch(() => undefined)]).then(() => {
    if (stood) gone.abort(new Killed());
  });
  try {
    const output = await working;
    if (inPeace || !roll.chance(0.2)) return output;
    faults.push('completion lost');
    return undefined;
  } catch (error) {
    if (error instanceof ThermidorFailure) return error;
    if (!(error instanceof Killed)) throw error;
    faults.push(stood ? 'killed in a silence' : `killed ${'dyingAfter' in dying ? 'after' : 'before'} record ${record}`);
    return undefined;
  }
}
