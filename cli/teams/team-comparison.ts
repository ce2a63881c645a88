import type { TeamReport } from '../../kinds/caid/rules/report';
import { duration } from '../../plan/text/duration';
import { renderUsage } from '../rendering/text/usage';
import { testsText } from './team-report';

export const COMPARED = [
  'run',
  'isolation',
  'engineers',
  'merged',
  'tests',
  'conflicts',
  'came back',
  'wasted',
  'wall-clock',
  'used',
] as const;

/** A comparison of several teams' results, one line each, so that an ablation reads at a glance. */
export function comparedTeams(reports: readonly TeamReport[]): string[][] {
  return reports.map(({ run, step, isolation, engineers, tasks, tests, returned, wastedMs, wallClockMs, usage }) => [
    `${run} ${step}`,
    isolation,
    String(engineers.length),
    `${tasks.filter(({ stage }) => stage === 'merged' || stage === 'held').length} of ${tasks.length}`,
    tests ? testsText(tests) : 'not run',
    String(returned['conflict'] ?? 0),
    String(Object.values(returned).reduce((sum, times) => sum + times, 0)),
    duration(wastedMs),
    duration(wallClockMs),
    usage ? renderUsage(usage) : '',
  ]);
}
