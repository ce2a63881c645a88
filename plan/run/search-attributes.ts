/** What the server indexes of a run. */
export const SEARCH_ATTRIBUTES = ['ThermidorPipeline', 'ThermidorOwner', 'ThermidorState', 'ThermidorWaitingFor'] as const;
export type SearchAttributeName = (typeof SEARCH_ATTRIBUTES)[number];
