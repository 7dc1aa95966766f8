import Glibc

/// A folder that this process may not write to because it is somebody else's, as a mounted one may be.
public struct FolderOwnership: Sendable {
  /// A user and a group, by number: in a container there are no names.
  public struct Identity: Equatable, Sendable, CustomStringConvertible {
    /// The user's number.
    public let user: uid_t
    /// The group's number.
    public let group: gid_t

    /// As `chown` takes it.
    public var description: String { "\(user):\(group)" }
  }

  /// The folder.
  public let folder: String
  /// What in it is forbidden: the folder itself, or the lock that an earlier run left there.
  public let path: String
  /// Whose that is.
  public let owner: Identity
  /// As whom this process runs.
  public let process: Identity

  /// nil when the folder is not there, or may be written, or cannot be for another reason than its permissions.
  public init?(ofForbidden folder: String) {
    for (path, mode) in [(folder, R_OK | W_OK | X_OK), ("\(folder)/lock", R_OK | W_OK)] {
      guard faccessat(AT_FDCWD, path, mode, AT_EACCESS) != 0, errno == EACCES else { continue }
      var status = stat()
      guard stat(path, &status) == 0 else { continue }
      self.folder = folder
      self.path = path
      owner = Identity(user: status.st_uid, group: status.st_gid)
      process = Identity(user: geteuid(), group: getegid())
      return
    }
    return nil
  }

  /// What is wrong, as a clause.
  public var finding: String {
    "\(path) belongs to user \(owner), and this program runs as user \(process), who may not write there"
  }

  /// The command that mends it, for root.
  public var remedy: String { "chown -R \(process) \(folder)" }

  /// What to do, as a clause.
  public var advice: String {
    "run as root: \(remedy) (of a container: on the folder that is mounted as \(folder))"
  }
}
