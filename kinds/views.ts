import type { KindView } from '../plan/steps/kind-view';
import type { StepKind } from '../plan/steps/step';
import { TEAM_VIEW } from './caid/view';
import { VOTE_VIEW } from './consensus/view';
import { ADVICE_VIEW } from './consult/view';
import { UNROUTED_VIEW } from './coordinate/view';
import { ESCALATION_VIEW } from './escalate/view';
import { DELIVERY_VIEW } from './increments/view';
import { SWARM_VIEW } from './swarm/view';
import { TRACKS_VIEW } from './tracks/view';

const TABLE = {
  caid: TEAM_VIEW,
  consensus: VOTE_VIEW,
  consult: ADVICE_VIEW,
  coordinate: UNROUTED_VIEW,
  escalate: ESCALATION_VIEW,
  increments: DELIVERY_VIEW,
  swarm: SWARM_VIEW,
  tracks: TRACKS_VIEW,
} as const satisfies { [K in StepKind]?: KindView };

/** How what kinds keep is shown, of those that show anything. */
export const VIEWS: { readonly [K in StepKind]?: KindView } = TABLE;

type Table = typeof TABLE;
export type ViewOf<K extends keyof Table> = Table[K] extends KindView<string, infer V> ? V : never;

/** What a step's view has of its kind, each under its own key. */
export type KindViews = { [K in keyof Table as Table[K]['key']]?: ViewOf<K> };

/** What a step shows of its kind, and the words for it; undefined where that is nothing. */
export function shownOf(step: { kind: StepKind } & KindViews): { words: KindView; view: unknown } | undefined {
  const words = VIEWS[step.kind];
  const view = words && step[words.key as keyof KindViews];
  return words && view !== undefined ? { words, view } : undefined;
}
