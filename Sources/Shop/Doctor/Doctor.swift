import Catalog
import FoundationEssentials
import Glibc
import SQLite
import Text

/// Looks a shop over and changes nothing: its folders, database, backups, and the machine it stands on. It may look while a
/// server runs.
public struct Doctor: Sendable {
  private let data: String
  private let cache: String
  private let now: Int64

  /// A doctor for a shop's folders.
  public init(data: String, cache: String, now: Int64 = CatalogStore.now) {
    self.data = data
    self.cache = cache
    self.now = now
  }

  /// Everything that was looked at, in the order in which a person would.
  public func examine() -> [Diagnosis] {
    var diagnoses = FolderCheck(path: data, subject: "data folder", flag: "--data", needs: 64 << 20).diagnoses
    if diagnoses.allSatisfy({ $0.verdict != .failure }) {
      diagnoses.append(database)
      diagnoses.append(contentsOf: [access, leftovers, backups])
    }
    diagnoses += FolderCheck(path: cache, subject: "cache folder", flag: "--cache", needs: 256 << 20).diagnoses
    return diagnoses + [clock, library, descriptors]
  }

  private var database: Diagnosis {
    let subject = "database"
    let path = "\(data)/\(CatalogStore.fileName)"
    guard Glibc.access(path, F_OK) == 0 else {
      return .warning(subject, "there is none yet", "start the server, or `banchan import` a catalog")
    }
    do throws(CatalogStoreError) {
      let plan = try CatalogStore.migrationPlan(databaseAt: path)
      guard plan.steps.isEmpty else {
        return .warning(
          subject, "it is of schema \(plan.from), and this program writes \(plan.to)",
          "start the server or run `banchan migrate`, which copies it first")
      }
      let snapshot = try CatalogStore.read(databaseAt: path, checking: true)
      guard snapshot.publishedAt <= now + 300 else {
        return .warning(
          subject, "its catalog was published at \(Timestamp.rfc3339(snapshot.publishedAt)), which is to come",
          "set the clock right; until then answers bear that time")
      }
      return .ok(subject, "whole: \(snapshot.productCount) products, version \(snapshot.version), schema \(plan.to)")
    } catch {
      return .failure(subject, "\(error)", "stop the server, then `banchan restore` the newest backup")
    }
  }

  /// Whether the database is this user's, and nobody else's to write.
  private var access: Diagnosis {
    let subject = "permissions"
    var status = stat()
    let path = "\(data)/\(CatalogStore.fileName)"
    guard stat(path, &status) == 0 else { return .ok(subject, "nothing to protect yet") }
    guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      return .warning(subject, "\(path) may be written by other users", "chmod go-w \(path)")
    }
    guard status.st_uid == geteuid() || geteuid() == 0 else {
      return .failure(
        subject, "\(path) belongs to user \(status.st_uid), and this is user \(geteuid())",
        "run as that user, or: chown -R \(geteuid()) \(data)")
    }
    return .ok(subject, "the database belongs to user \(status.st_uid) alone to write")
  }

  private var leftovers: Diagnosis {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: data)) ?? []
    let left = names.filter { $0.hasSuffix(".partial") || $0.hasPrefix("restoring-") }.sorted()
    let copies = names.filter { $0.contains(".backup") || $0.contains(".unusable") }.sorted()
    if !left.isEmpty {
      return .warning(
        "orphans", "an interrupted command left \(left.joined(separator: ", "))", "delete them while no command runs")
    }
    guard copies.isEmpty else {
      return .warning(
        "orphans", "databases from before upgrades and restores: \(copies.joined(separator: ", "))",
        "delete them once what took their place has proved itself")
    }
    return .ok("orphans", "none")
  }

  private var backups: Diagnosis {
    let shelf = BackupShelf("\(data)/\(BackupShelf.folderName)")
    guard let newest = shelf.backups.last else {
      return .warning(
        "backups", "there are none in \(shelf.path)", "run `banchan backup` daily, and copy them to another machine")
    }
    let age = max(0, now - newest.manifest.createdAt) / 86_400
    do throws(BackupError) {
      try newest.verify(scratch: data)
    } catch {
      return .failure("backups", "\(error)", "run `banchan backup` now")
    }
    guard age < 7 else {
      return .warning("backups", "the newest, \(newest.name), is \(age) days old", "run `banchan backup` daily")
    }
    return .ok("backups", "\(newest.name) is whole and \(age) days old")
  }

  private var clock: Diagnosis {
    // From shortly before this program was written to the year 2100.
    guard (1_764_547_200...4_102_444_800).contains(now) else {
      return .failure(
        "clock", "it shows \(Timestamp.rfc3339(now))", "set it right: caching and TLS depend on it (timedatectl, NTP)")
    }
    return .ok("clock", Timestamp.rfc3339(now))
  }

  private var library: Diagnosis {
    let version = Database.libraryVersion
    let parts = version.split(separator: ".").compactMap { Int($0) }
    guard !parts.lexicographicallyPrecedes([3, 37]) else {
      return .failure("SQLite", "\(version) knows no STRICT tables", "install SQLite 3.37 or newer")
    }
    return .ok("SQLite", version)
  }

  private var descriptors: Diagnosis {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      return .ok("descriptors", "no limit known")
    }
    guard limit.rlim_max < 8_192 else { return .ok("descriptors", "\(limit.rlim_max) may be open") }
    return .warning(
      "descriptors", "\(limit.rlim_max) may be open, and 4,096 connections with their pictures can need 8,192",
      "raise the hard limit (LimitNOFILE= in a unit, --ulimit nofile= for a container)")
  }
}
