import { isArtifactRef } from '../../plan/run/artifact';
import type { EndContent } from '../../plan/run/end-content';
import { field, isJsonObject, type Json } from '../../plan/text/json';
import type { RunKey } from '../ledger';

/** What a run said of itself as it ended. Undefined if it is something else, or another run's. */
export function readEndContent(said: Json | undefined, run: RunKey): EndContent | undefined {
  return isEndContent(said, run) ? said : undefined;
}

/** Views and entries are shown as they are: what counts is whose they are, and that each can be found. */
function isEndContent(said: unknown, { workflowId, run }: RunKey): said is EndContent {
  if (!isJsonObject(said)) return false;
  const { view, journal } = said;
  if (field(view, 'run') !== workflowId || field(view, 'firstRunId') !== run || typeof field(view, 'state') !== 'string') return false;
  const isStep = (step: Json): boolean => typeof field(step, 'address') === 'string' && typeof field(step, 'state') === 'string';
  const isPage = (page: Json): boolean =>
    isCount(field(page, 'fromSeq')) && isCount(field(page, 'toSeq')) && isArtifactRef(field(page, 'ref'));
  const isEntry = (entry: Json): boolean => isCount(field(entry, 'seq')) && typeof field(entry, 'kind') === 'string';
  return (
    isListOf(field(view, 'steps'), isStep) && isListOf(field(journal, 'pages'), isPage) && isListOf(field(journal, 'entries'), isEntry)
  );
}

function isListOf(value: Json | undefined, isOne: (item: Json) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}

function isCount(value: Json | undefined): boolean {
  return Number.isSafeInteger(value);
}
