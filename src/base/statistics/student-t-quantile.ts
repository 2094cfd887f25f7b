/**
 * What Student's t with so many degrees of freedom stays under, in size, in 95 of 100 cases. By the
 * closed form of its distribution (Abramowitz and Stegun 26.7.3 and 26.7.4), and bisection.
 */
export function studentTQuantile(degrees: number): number {
  let low = 0;
  let high = 16;
  while (high - low > 1e-12 * high) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (shareWithin(middle, degrees) < 0.95) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The share of cases between -t and t. */
function shareWithin(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const cosine = Math.cos(angle);
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let at = isOdd ? 3 : 2; at < degrees; at += 2) {
    term *= (cosine ** 2 * (at - 1)) / at;
    sum += term;
  }
  const half = Math.sin(angle) * sum;
  return isOdd ? (2 / Math.PI) * (angle + half) : half;
}
