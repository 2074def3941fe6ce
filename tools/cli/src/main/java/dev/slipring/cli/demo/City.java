// SPDX-License-Identifier: Apache-2.0
package dev.slipring.cli.demo;

import java.util.Comparator;
import java.util.List;

/**
 * A city, to say where something is.
 *
 * @param name its name
 * @param latitude in degrees
 * @param longitude in degrees
 */
record City(String name, double latitude, double longitude) {

    private static final double EARTH_RADIUS_KM = 6_371;

    private static final List<City> ALL =
            List.of(
                    new City("Anchorage", 61.2, -149.9),
                    new City("Athens", 38.0, 23.7),
                    new City("Auckland", -36.8, 174.8),
                    new City("Honolulu", 21.3, -157.9),
                    new City("Istanbul", 41.0, 29.0),
                    new City("Jakarta", -6.2, 106.8),
                    new City("Kabul", 34.5, 69.2),
                    new City("Lima", -12.0, -77.0),
                    new City("Los Angeles", 34.1, -118.2),
                    new City("Manila", 14.6, 121.0),
                    new City("Mexico City", 19.4, -99.1),
                    new City("Oklahoma City", 35.5, -97.5),
                    new City("Port Moresby", -9.4, 147.2),
                    new City("Reykjavik", 64.1, -21.9),
                    new City("Salt Lake City", 40.8, -111.9),
                    new City("San Francisco", 37.8, -122.4),
                    new City("San Juan", 18.5, -66.1),
                    new City("Santiago", -33.4, -70.7),
                    new City("Seattle", 47.6, -122.3),
                    new City("Taipei", 25.0, 121.6),
                    new City("Tokyo", 35.7, 139.7));

    /** The nearest city, and how far it is: {@code 280 km from Tokyo}. */
    static String nearest(Quake quake) {
        City city =
                ALL.stream()
                        .min(Comparator.comparingDouble(one -> one.kilometres(quake)))
                        .orElseThrow();
        return Math.round(city.kilometres(quake)) + " km from " + city.name();
    }

    /** The length of the great circle between the two. */
    private double kilometres(Quake quake) {
        double north = Math.toRadians(quake.latitude() - latitude);
        double east = Math.toRadians(quake.longitude() - longitude);
        double a =
                Math.pow(Math.sin(north / 2), 2)
                        + Math.cos(Math.toRadians(latitude))
                                * Math.cos(Math.toRadians(quake.latitude()))
                                * Math.pow(Math.sin(east / 2), 2);
        return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(a)));
    }
}
