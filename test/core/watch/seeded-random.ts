/** Random numbers in [0, 1) that are the same in every run: Numerical Recipes' congruential generator of 32 bits. */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};
