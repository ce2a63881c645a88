import { given } from '../../compiler/lower/parts/part-steps';
import type { Template } from '../../plan/expressions/expression';
import { ALIGNMENT_DOCUMENT, deliverableOf } from './given';
import type { SyncSpec, TrackSpec } from './model';
import { otherSide, type TrackSide } from './rules/alignment';

/**
 * The prompts of the agents of two tracks. The engine enforces everything that can be enforced: these only say what is expected, and in
 * which shape.
 */

interface Tracks extends Record<TrackSide, TrackSpec> {
  sync: SyncSpec[];
}

/** The author's wishes for a phase, and what the tracks have delivered by then. */
export function phasePrompt(wanted: Template, tracks: Tracks, side: TrackSide, phase: string): Template {
  const other = tracks[otherSide(side)];
  const own = tracks[side].phases;
  const at = own.indexOf(phase);
  const met = tracks.sync.findLast(({ after }) => own.indexOf(after[side]) < at);
  const aligned = met ? other.phases.slice(0, other.phases.indexOf(met.after[otherSide(side)]) + 1) : [];
  return [
    ...wanted,
    `\n\nYou work on one of two tracks; ${other.agent} works on the other at the same time. Answer with what this phase, ${phase}, delivers.`,
    ...delivered('What your track has delivered so far:', own.slice(0, at)),
    ...delivered('What the other track has delivered, up to the last point at which the two were aligned:', aligned),
    ...(side === 'b' ? deliveredAlone(tracks, at, other.phases.slice(aligned.length)) : []),
    ...(tracks.sync.some(({ after }) => after[side] === phase) ? madeAgain(phase) : []),
  ];
}

export function checkPrompt(wanted: Template | undefined, tracks: Tracks, { id, name, after }: SyncSpec): Template {
  return [
    `Two tracks of work have arrived at the sync point ${name === undefined ? id : `"${name}"`}. Say whether they are aligned.\n\n`,
    ...(wanted ? ['What has to hold:\n\n', ...wanted, '\n\n'] : []),
    `Track a, by ${tracks.a.agent}, has delivered (${after.a}):\n\n`,
    given(deliverableOf(after.a)),
    `\n\nTrack b, by ${tracks.b.agent}, has delivered (${after.b}):\n\n`,
    given(deliverableOf(after.b)),
    '\n\nWhat the check before this one found, if there was one:\n\n',
    given(ALIGNMENT_DOCUMENT),
    `\n\n${HOW_TO_ANSWER}`,
  ];
}

const HOW_TO_ANSWER = `Answer as JSON, and nothing else: \`status\` is ALIGNED or MISALIGNED; \`conflicts\` lists everything on which the two do not agree, precisely enough to be repaired; \`adjust\` says who repairs it, \`a\`, \`b\` or \`both\`; \`trackA_state\` and \`trackB_state\` describe in one sentence the state of each track.`;

function delivered(heading: string, phases: readonly string[]): Template {
  if (phases.length === 0) return [];
  return [`\n\n${heading}`, ...phases.flatMap((phase): Template => [`\n\n## ${phase}\n\n`, given(deliverableOf(phase))])];
}

/** Track b follows a if the two could not be aligned, from the phase of the first point on. */
function deliveredAlone({ b, sync: [first] }: Tracks, at: number, phases: readonly string[]): Template {
  if (phases.length === 0 || !first || at < b.phases.indexOf(first.after.b)) return [];
  return [
    '\n\nIf the two could not be aligned, the other track has gone on alone. What it has delivered since:',
    ...phases.flatMap((phase): Template => ['\n\n', given(deliverableOf(phase))]),
  ];
}

function madeAgain(phase: string): Template {
  return [
    '\n\nIf this phase is done again because the tracks were not aligned, what it delivered before, and what the check found:\n\n',
    given(deliverableOf(phase)),
    '\n\n',
    given(ALIGNMENT_DOCUMENT),
  ];
}
