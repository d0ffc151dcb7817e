/** Draws from 0 to `size` - 1 by Zipf's law: 0 most often; with an exponent of 0 all equally often. */
export function zipf(size: number, exponent: number, random: () => number = Math.random): () => number {
  let sum = 0;
  const sums = Array.from({ length: size }, (_, index) => (sum += (index + 1) ** -exponent));
  return () => {
    const drawn = random() * sum;
    let [low, high] = [0, size - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? sum) <= drawn) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
