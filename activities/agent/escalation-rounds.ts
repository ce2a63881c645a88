import type { EscalationRound } from '../../plan/steps/escalation';
import { quoted } from '../../plan/text/quoted';
import { shortened } from '../../plan/text/shortened';
import type { ArtifactStore } from '../../records/artifact-store';
import type { RunSecrets } from '../run/run-secrets';
import { fenced } from './prompt/prompt';

/** The limits of one output, and of all together, in characters. */
const OUTPUT_LIMIT = 32 * 1024;
const OUTPUTS_LIMIT = 256 * 1024;

/** The result of each round, oldest first, for those to whom the matter is escalated: its verdict, its failure and its output. */
export async function renderRounds(
  artifacts: ArtifactStore,
  history: readonly EscalationRound[],
  { mask }: Pick<RunSecrets, 'mask'>,
): Promise<string[]> {
  const texts = await outputs(artifacts, history, mask);
  return history.map((round, i) => renderRound(round, texts[i]));
}

/** The output of each round, by its index in the history; the newest get room first. */
async function outputs(
  artifacts: ArtifactStore,
  history: readonly EscalationRound[],
  mask: RunSecrets['mask'],
): Promise<(string | undefined)[]> {
  const texts: (string | undefined)[] = [];
  let left = OUTPUTS_LIMIT;
  for (const { artifact } of history.toReversed()) {
    if (!artifact) {
      texts.unshift(undefined);
      continue;
    }
    if (left <= 0) {
      texts.unshift(`(left out: ${artifact.sizeBytes} bytes, sha256 ${artifact.sha256})`);
      continue;
    }
    const text = shortened(mask((await artifacts.get(artifact)).toString('utf8')), Math.min(OUTPUT_LIMIT, left));
    left -= text.length;
    texts.unshift(text);
  }
  return texts;
}

function renderRound({ step, round, artifact, verdict, error }: EscalationRound, text: string | undefined): string {
  const lines = [`## ${step}, round ${round}${artifact?.name === undefined ? '' : `: ${artifact.name}`}`];
  if (verdict) {
    const found = Object.entries(verdict.findings).map(([severity, count]) => `${count} ${severity}`);
    const findings = found.length > 0 ? `; findings: ${found.join(', ')}` : '';
    const said = verdict.said === undefined ? '' : ` (${JSON.stringify(verdict.said)})`;
    const score = verdict.score === undefined ? '' : `; score ${verdict.score}`;
    lines.push(`Verdict ${verdict.verdict}${said}${score}${findings}.`);
    if (verdict.summary !== undefined) lines.push(quoted(verdict.summary));
  }
  if (error) lines.push(`It failed with ${error.code}:`, quoted(error.message));
  if (text !== undefined) lines.push(fenced(text));
  return lines.join('\n\n');
}
