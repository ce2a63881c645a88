/** What the steps of a loop call the item that they are about, if the loop does not say: its output has the same names. */
export const ITEM_VAR = 'item';

export const INDEX_VAR = 'index';

/** Why an item of a stream has no result: it has failed, or was left out. */
export const ERROR_FIELD = 'error';
