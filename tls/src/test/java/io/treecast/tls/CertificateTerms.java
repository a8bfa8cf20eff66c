package io.treecast.tls;

import java.time.Duration;
import java.util.List;

/**
 * The terms of a certificate for tests.
 *
 * @param names subject alternative names: {@code uri:}, {@code dns:} or {@code ip:}, and the name
 * @param constraints its basic constraints
 * @param algorithm the algorithm of its key: {@code EC} or {@code RSA}
 * @param start the time from now until it is valid; negative for the past
 * @param validity the time from its start until it expires
 */
record CertificateTerms(
    List<String> names,
    Constraints constraints,
    String algorithm,
    Duration start,
    Duration validity) {

  /**
   * Basic constraints.
   *
   * @param issues whether the subject may issue certificates
   * @param pathLength the number of authorities that may follow; -1 for any number
   */
  record Constraints(boolean issues, int pathLength) {
    static final Constraints NOT_AN_AUTHORITY = new Constraints(false, -1);
    static final Constraints AUTHORITY = new Constraints(true, -1);
  }

  /** Returns the terms for these names, valid for a day from now. */
  static CertificateTerms of(String... names) {
    return new CertificateTerms(
        List.of(names), Constraints.NOT_AN_AUTHORITY, "EC", Duration.ZERO, Duration.ofDays(1));
  }

  /** Returns the terms of an authority, valid for two days. */
  static CertificateTerms ofAuthority(Constraints constraints) {
    return new CertificateTerms(List.of(), constraints, "EC", Duration.ZERO, Duration.ofDays(2));
  }

  static CertificateTerms ofAgents(List<String> nodeIds) {
    return of(
        nodeIds.stream().map(id -> "uri:" + NodeCertificate.PREFIX + id).toArray(String[]::new));
  }

  static CertificateTerms ofAgent(String nodeId) {
    return ofAgents(List.of(nodeId));
  }

  CertificateTerms thatIssues() {
    return new CertificateTerms(names, Constraints.AUTHORITY, algorithm, start, validity);
  }

  CertificateTerms withRsaKey() {
    return new CertificateTerms(names, constraints, "RSA", start, validity);
  }

  CertificateTerms valid(Duration newStart, Duration newValidity) {
    return new CertificateTerms(names, constraints, algorithm, newStart, newValidity);
  }
}
