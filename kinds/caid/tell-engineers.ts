import { taskOf } from './state';
import { isShared, partPath, stateOf, type Team } from './team';

const MOST_TASKS = 20;

/**
 * The target has moved: each working engineer gets that as a message with its next turn or try, one replacing the previous one. Its
 * worktree stays unchanged for as long; its next attempt begins on top of the target.
 */
export function tellEngineers(team: Team, merged: string): void {
  const { it, place } = team;
  const state = stateOf(team);
  const newest = state.merged.slice(-MOST_TASKS);
  const files = taskOf(state, merged).files.join(', ');
  const content = `The branch ${place.step.into} is at ${state.head} now: ${merged} is merged (${files}). All that is merged: ${newest.join(', ')}. You need not do anything about it: ${isShared(team) ? 'you work in the same checkout' : 'your next attempt begins there'}.`;
  for (const { stage, number = 0, id } of state.tasks) {
    if (stage !== 'working' || id === merged) continue;
    const record = it.run.state.records[partPath(team, 'engineer', number)];
    if (!record) continue;
    const others = (record.brief?.messages ?? []).filter(({ from }) => from !== place.step.id);
    const message = { from: place.step.id, content, at: new Date(it.run.ctx.now()).toISOString() };
    record.brief = { ...record.brief, messages: [...others, message] };
  }
}
