import type { ComponentChildren } from 'preact';
import { Trend } from '../charts/trend.js';
import type { AtAnalysis, PointsOf } from '../charts/trend-points.js';
import { Loading } from '../components/loading.js';
import { Section } from '../components/section.js';

interface TrendSectionProps {
  title: string;
  hint: string;
  /** Oldest first. */
  analyses: readonly AtAnalysis[];
  loading: boolean;
  pointsOf: PointsOf;
  /** Below the pictures. */
  children: ComponentChildren;
}

export function TrendSection(props: TrendSectionProps) {
  const { title, hint, analyses, loading, pointsOf, children } = props;
  if (analyses.length < 2) {
    if (loading) return <Loading what="the course" />;
    if (analyses.length === 0) return null;
    return (
      <Section title={title}>
        <p class="muted">The course appears from the second analysis on.</p>
      </Section>
    );
  }
  return (
    <Section title={title} hint={hint}>
      <Trend analyses={analyses} pointsOf={pointsOf} label={title} />
      <p class="more">{children}</p>
    </Section>
  );
}
