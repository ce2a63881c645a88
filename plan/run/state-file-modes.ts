/**
 * Modes of everything below a state folder. It holds prompts, outputs and environments, so only its owner may read it. None of these grants
 * a bit to the group or to others, so no umask can add one.
 */
export const STATE_FOLDER_MODE = 0o700;
export const STATE_FILE_MODE = 0o600;
/** The mode of content that never changes. */
export const KEPT_FILE_MODE = 0o400;
