/** The workflow id of the run of a brief's file. */
export function briefRunId(project: string, briefId: string): string {
  return `${project}-${briefId}`;
}

export const BRIEF_ID = /^\d{4}-\d{2}-\d{2}-[A-Za-z0-9]{1,64}$/;

const RUN = /^([a-z0-9][a-z0-9-]{0,63})-(\d{4}-\d{2}-\d{2}-[A-Za-z0-9]{1,64})$/;

/** Project and id of the brief that a run is of, by the run's id; undefined if no brief's run has such an id. */
export function briefOfRunId(run: string): { project: string; briefId: string } | undefined {
  const [, project, briefId] = RUN.exec(run) ?? [];
  return project === undefined || briefId === undefined ? undefined : { project, briefId };
}
