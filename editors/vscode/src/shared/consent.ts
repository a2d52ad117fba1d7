/** Milliseconds from a request's appearance, or from the last key, until it can be allowed. */
export const consentPause = 700;
