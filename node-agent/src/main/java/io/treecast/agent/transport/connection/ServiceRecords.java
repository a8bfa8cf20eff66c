package io.treecast.agent.transport.connection;

import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Hashtable;
import java.util.List;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.directory.DirContext;
import javax.naming.directory.InitialDirContext;

/**
 * Queries DNS for the SRV records of a service, with the JDK's own client. Answers are not cached:
 * each query goes to the server, twice within three seconds if it does not answer. For any thread;
 * blocks.
 */
final class ServiceRecords {
  /** The limit of records that are used; further ones are ignored. */
  private static final int MAX_RECORDS = 100;

  private static final String FIRST_WAIT_MILLIS = "1000";

  /** The number of attempts; each waits twice as long as the one before. */
  private static final String ATTEMPTS = "2";

  /** The location of a service by one record. */
  record Place(int priority, String host, int port) {}

  private final String servers;

  private ServiceRecords(String servers) {
    this.servers = servers;
  }

  /** Creates a client of the system's DNS servers. */
  static ServiceRecords ofSystem() {
    return new ServiceRecords("dns:");
  }

  /** Creates a client of one DNS server. */
  static ServiceRecords by(String host, int port) {
    return new ServiceRecords("dns://" + host + ":" + port);
  }

  /**
   * Returns the places of a service in ascending order of priority numbers; at least one. Weights
   * do not count: each dial takes the next place.
   *
   * @throws UnknownHostException if there are no records, or no server answers
   */
  // The only provider is that of DNS, which reads texts and creates no objects. JNDI requires a
  // Hashtable.
  @SuppressWarnings({"BanJNDI", "JdkObsolete"})
  List<Place> of(String service) throws UnknownHostException {
    Hashtable<String, String> environment = new Hashtable<>();
    environment.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.dns.DnsContextFactory");
    environment.put(Context.PROVIDER_URL, servers);
    environment.put("com.sun.jndi.dns.timeout.initial", FIRST_WAIT_MILLIS);
    environment.put("com.sun.jndi.dns.timeout.retries", ATTEMPTS);
    List<Place> places = new ArrayList<>();
    try {
      DirContext dns = new InitialDirContext(environment);
      try {
        Attribute records = dns.getAttributes(service, new String[] {"SRV"}).get("SRV");
        if (records != null) {
          NamingEnumeration<?> all = records.getAll();
          while (all.hasMore() && places.size() < MAX_RECORDS) {
            places.add(place(service, String.valueOf(all.next())));
          }
        }
      } finally {
        dns.close();
      }
    } catch (NameNotFoundException e) {
      throw unknown("DNS has no SRV records of " + service, e);
    } catch (NamingException e) {
      throw unknown("DNS does not answer for " + service + " (" + e.getMessage() + ")", e);
    }
    places.removeIf(place -> place.host.isEmpty());
    if (places.isEmpty()) {
      throw new UnknownHostException("DNS has no SRV records of " + service);
    }
    places.sort(
        Comparator.comparingInt(Place::priority)
            .thenComparing(Place::host)
            .thenComparingInt(Place::port));
    return List.copyOf(places);
  }

  /** Parses priority, weight, port and host; the host is empty if the service does not exist. */
  private static Place place(String service, String record) throws UnknownHostException {
    String[] parts = record.strip().split(" +", -1);
    try {
      if (parts.length == 4) {
        return new Place(
            Integer.parseInt(parts[0]),
            parts[3].replaceFirst("\\.$", ""),
            Integer.parseInt(parts[2]));
      }
    } catch (NumberFormatException e) {
      throw unknown("DNS has a wrong SRV record of " + service + ": " + record, e);
    }
    throw new UnknownHostException("DNS has a wrong SRV record of " + service + ": " + record);
  }

  private static UnknownHostException unknown(String message, Exception cause) {
    UnknownHostException unknown = new UnknownHostException(message);
    unknown.initCause(cause);
    return unknown;
  }
}
