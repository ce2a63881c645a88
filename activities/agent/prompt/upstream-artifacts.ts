import { isUtf8 } from 'node:buffer';
import { asksAgent } from '../../../kinds/questions';
import { defined } from '../../../plan/defined';
import type { ArtifactRef } from '../../../plan/run/artifact';
import type { Step } from '../../../plan/steps/step';
import type { StepInput } from '../../../plan/steps/step-activity';
import type { ArtifactStore } from '../../../records/artifact-store';
import { section } from './prompt';
import { INPUTS_FOLDER, type InputFile, type WholeInputs } from './prompt-inputs';

/** An earlier step's output that an agent may read by reference, as its task names it: an artifact, its step, its size, and its author. */
export interface UpstreamArtifact {
  step: string;
  /** An agent, or the kind of the step. */
  by: string;
  name?: string;
  /** Absent: it does not exist yet. */
  sizeBytes?: number;
  /** Its path in the step's folder. */
  file?: string;
}

/** The section of a task that names what its agent may read by reference, and the files to lay out if it reads files. */
export async function furtherInputs(
  { artifacts }: { artifacts: Pick<ArtifactStore, 'get'> },
  { steps }: { steps: ReadonlyMap<string, Step> },
  { upstream = {}, moreUpstream, with: replaced }: Pick<StepInput, 'upstream' | 'moreUpstream' | 'with'>,
  whole: WholeInputs | undefined,
): Promise<{ section: string; files: InputFile[] }> {
  // If an operator has replaced the inputs, there are no others.
  const refs = replaced === undefined ? Object.entries(upstream) : [];
  const all = refs.map(([step, ref]) => ({ ref, artifact: upstreamArtifact(step, steps, ref) }));
  const laidOut = whole === 'file' ? await layOut(artifacts, all) : { artifacts: all.map(({ artifact }) => artifact), files: [] };
  return { section: upstreamSection(laidOut.artifacts, whole, moreUpstream), files: laidOut.files };
}

/** The limit of all files laid out for agents that read with tools of their own. */
const FILES_BYTES = 4 * 1024 * 1024;

export function upstreamArtifact(
  id: string,
  steps: ReadonlyMap<string, Step>,
  ref?: Pick<ArtifactRef, 'name' | 'sizeBytes'>,
): UpstreamArtifact {
  const step = steps.get(id);
  const name = ref?.name ?? (step && 'output' in step ? step.output?.name : undefined);
  return {
    ...{ step: id, by: makerOf(step) },
    ...defined({ name, sizeBytes: ref?.sizeBytes }),
  };
}

function makerOf(step: Step | undefined): string {
  if (!step) return 'an earlier step';
  return asksAgent(step) ? step.agent : `a step of kind ${step.kind}`;
}

/** The section of a task that names them. Empty if there are none, or if the agent cannot read them. */
export function upstreamSection(all: readonly UpstreamArtifact[], whole: WholeInputs | undefined, more?: true): string {
  if (all.length === 0 || whole === undefined) return '';
  const lines = [...all.map((one) => line(one, whole)), ...(more ? ['(Earlier steps have more outputs, which you cannot read.)'] : [])];
  const how = whole === 'tool' ? 'Read them with `read_artifact`, by step or name.' : 'They are files in your folder.';
  return section('Artifacts of earlier steps', `You may read these in whole. ${how}\n\n${lines.join('\n')}`);
}

function line({ step, by, name, sizeBytes, file }: UpstreamArtifact, whole: WholeInputs): string {
  const size = sizeBytes === undefined ? '' : `, ${sizeBytes} bytes`;
  const where = file === undefined ? 'not in the folder: not text, or too large' : `file \`${file}\``;
  return `- ${name ?? step}: step ${step}, by ${by}${size}${whole === 'file' ? `, ${where}` : ''}`;
}

/** Lays them out as files, the nearest first, as far as there is room; names each one's place. */
async function layOut(
  artifacts: Pick<ArtifactStore, 'get'>,
  all: readonly { ref: ArtifactRef; artifact: UpstreamArtifact }[],
): Promise<{ artifacts: UpstreamArtifact[]; files: InputFile[] }> {
  const named: UpstreamArtifact[] = [];
  const files: InputFile[] = [];
  let room = FILES_BYTES;
  for (const { ref, artifact } of all) {
    const bytes = ref.sizeBytes <= room ? await artifacts.get(ref) : undefined;
    if (!bytes || !isUtf8(bytes) || bytes.includes(0)) {
      named.push(artifact);
      continue;
    }
    room -= bytes.byteLength;
    const path = `${INPUTS_FOLDER}/${artifact.step}-${(artifact.name ?? 'output.txt').replace(/[^A-Za-z0-9_.-]+/g, '-').slice(-60)}`;
    files.push({ path, text: bytes.toString('utf8') });
    named.push({ ...artifact, file: path });
  }
  return { artifacts: named, files };
}
