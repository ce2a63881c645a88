import type { KeptText, SentText } from '../../plan/board/board-activities';
import type { ArtifactRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import { type CheckKind, checkTogether, isChecking } from '../../workflows/interpreter/inbound/check-together';
import type { NotApplied } from '../../workflows/interpreter/inbound/planned-command';
import type { Run } from '../../workflows/interpreter/run';
import { QUICK_ACTIVITY_MS } from '../../workflows/interpreter/steps/activity-timeouts';

/**
 * Long texts that people send to boards. They are in the store before the board has what they belong to, and a message without one waits
 * for those before it: a task may name the one that was sent just before.
 */
export function isStoring(run: Run): boolean {
  return isChecking(run, TEXTS);
}

/** Undefined: there was no text, and all before it are stored. */
export async function storeText(run: Run, sent: SentText | undefined): Promise<{ text: ArtifactRef | undefined } | NotApplied> {
  try {
    const kept = await checkTogether(run, TEXTS, sent ?? null);
    if (kept && 'outcome' in kept) return kept;
    return kept?.problem === undefined ? { text: kept?.text } : notStored(kept.problem);
  } catch (error) {
    if (error instanceof ThermidorFailure) return notStored(error.message);
    throw error;
  }
}

function notStored(problem: string): NotApplied {
  return { outcome: 'unavailable', reason: `its text could not be stored: ${problem}` };
}

const TEXTS: CheckKind<SentText | null, KeptText | null> = {
  most: 100,
  async perform(run, all) {
    const texts = all.filter((one) => one !== null);
    if (texts.length === 0) return all.map(() => null);
    run.state.checks = (run.state.checks ?? 0) + 1;
    const options = { address: `run/texts-${run.state.checks}`, kept: true, startToCloseMs: QUICK_ACTIVITY_MS } as const;
    const kept = await run.ctx.activity('keepTexts', { run: run.ctx.info.firstRunId, texts }, options);
    const answers: (KeptText | null)[] = [];
    for (const one of all) {
      const next = one === null ? null : kept.shift();
      if (next === undefined) break;
      answers.push(next);
    }
    return answers;
  },
};
