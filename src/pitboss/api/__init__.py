"""What ``import pitboss`` offers, over the layers below."""
