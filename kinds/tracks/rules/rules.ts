import type { Json } from '../../../plan/text/json';
import { type AlignGiven, alignTracks, valuesOfAlignment } from './alignment';
import { reportTracks, type TracksReportGiven } from './report';

/** The rules by the names that `run.ts` asks for them by (`plan/patterns/rule.ts`). */
export const TRACKS_RULES = {
  align(given: AlignGiven, documents: Readonly<Record<string, Json>>) {
    const result = alignTracks(given, documents);
    return { result, values: valuesOfAlignment(result) };
  },
  'report-tracks'(given: TracksReportGiven, documents: Readonly<Record<string, Json>>) {
    const result = reportTracks(given, documents);
    return { result, values: { status: result.status } };
  },
};
